"""Files in and out: native formats of other tools, xlsx, csv, jsonl, parquet."""
