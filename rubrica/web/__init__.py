"""What both web sides share: sessions, CSRF, headers, the error shape, static files, limits."""
