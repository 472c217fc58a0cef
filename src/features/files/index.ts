/*
 * `receiveFiles` in `prepare`, then `attachFiles` of features/tasks in `run`, which keeps
 * `attachment_count` as well; `dropAttachments` of features/tasks takes away.
 */
export { chargeSender } from './quota.ts'
export { type Received, receiveFiles, receiveUploads } from './receive.ts'
export { disposition, isShown, servedAs } from './rules.ts'
export {
  Attachment,
  AttachmentId,
  FileInputs,
  Uploads,
} from './schema.ts'
export {
  type AttachmentRow,
  attachmentsOf,
  attachmentsOfComments,
  countAttachments,
  deleteAttachments,
  filesMissing,
  insertAttachments,
  shownAttachments,
  withoutRow,
} from './store.ts'
export { attachments, fileUsage } from './tables.ts'

export const operations = [] as const
