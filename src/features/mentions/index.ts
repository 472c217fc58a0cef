export { type Mention, Mentions } from './schema.ts'
export { addressedIn, mentionsIn } from './store.ts'
