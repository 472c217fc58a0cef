/**
 * Why a database cannot be used, in words for operators. It has its own file because Drizzle's
 * tools also load the tables, and they cannot run the macro that reads the migrations.
 */
export class UnusableError extends Error {}
