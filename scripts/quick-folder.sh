# Prints a folder in memory where the machine has one with room that runs programs: tests sync hundreds of
# small databases to the disk, and wait for it longer than for anything else.
folder=/dev/shm
[ -d "$folder" ] && [ -w "$folder" ] || exit 0
free=$(df -Pk "$folder" | awk 'NR == 2 { print $4 }')
[ "$free" -gt 4000000 ] || exit 0
probe=$(mktemp "$folder/rubrica-XXXXXX")
printf '#!/bin/sh\necho %s\n' "$folder" > "$probe"
chmod +x "$probe"
"$probe" 2>/dev/null || true  # one that runs no programs is of no use
rm -f "$probe"
