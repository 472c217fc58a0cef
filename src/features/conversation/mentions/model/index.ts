export { type Mention, Mentions } from './schema.ts'
export { actorsNamedIn, resolveMentions } from './store.ts'
