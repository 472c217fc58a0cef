export { activityOf } from './activity.ts'
export { commentLines } from './portability.ts'
export { Activity, CommentId, CommentRecord } from './schema.ts'
export {
  type Comment,
  findComment,
  participantsOf,
  tasksCommentedByCaller,
  updateCommentCounts,
} from './store.ts'
export { commentMentions, commentReactions, comments } from './tables.ts'
export { recentComments } from './timeline.ts'
export { addComment, deleteComment, editComment } from './write.ts'
