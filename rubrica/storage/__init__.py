"""SQLite and PostgreSQL behind the stores' protocols; migrations; the only room that speaks SQL."""
