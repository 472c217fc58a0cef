export { type Mention, Mentions } from './schema.ts'
export { mentionsIn } from './store.ts'
