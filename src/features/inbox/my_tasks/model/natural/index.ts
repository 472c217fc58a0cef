export { Added, natural } from './schema.ts'
export { loadParsers, type Parsers, readBoard, refuseEmpty, understand } from './understand.ts'
