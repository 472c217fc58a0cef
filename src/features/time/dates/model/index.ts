export { parseDate, parseMoment } from './parse.ts'
export { dueAt, isDay, normalizeDate, startOf } from './rules.ts'
