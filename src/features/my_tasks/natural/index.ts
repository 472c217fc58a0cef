export { Added, natural } from './schema.ts'
export { boardIn, understand, type Words, words } from './understand.ts'
