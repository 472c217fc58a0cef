export { notify } from './notify.ts'
export { toNotificationRows } from './records.ts'
export { isImportant } from './rules.ts'
export { NotificationKind, type NotificationRow } from './schema.ts'
