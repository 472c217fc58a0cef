-- PostgreSQL keeps its text index in one piece; only SQLite's has these settings.
SELECT 1;
