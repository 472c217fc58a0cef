import { archive, list, mark, moveTask, read, summary, unarchive, unread } from './operations.ts'

export { notify } from './notify.ts'
export { toNotificationRows } from './records.ts'
export { isImportant } from './rules.ts'
export { NotificationKind, type NotificationRow } from './schema.ts'

export const operations = [list, archive, unarchive, moveTask, read, unread, mark, summary] as const
