/**
 * What stands in the way of using a database, in words for whoever runs the server. It has a file
 * of its own, because the tables are also read by a tool that cannot read the migrations.
 */
export class Unusable extends Error {}
