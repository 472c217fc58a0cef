export { Added, natural } from './schema.ts'
export { boardIn, refuseEmpty, understand, type Words, words } from './understand.ts'
