import { add, get, list, react, remove, unreact, update } from './operations.ts'

export { activityOf } from './activity.ts'
export { Activity, CommentRecord } from './schema.ts'
export { findComment } from './store.ts'
export { commentMentions, commentReactions, comments } from './tables.ts'
export { recentComments } from './timeline.ts'
export { addComment } from './write.ts'

export const operations = [list, get, add, update, remove, react, unreact] as const
