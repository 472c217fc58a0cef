/*
 * Operations call `receiveFiles` in `prepare`, then `attachFiles` of features/tasks in `run`, which
 * also updates `attachment_count`. `dropAttachments` of features/tasks deletes attachments.
 */

export {
  countFiles,
  type FileRecord,
  filesOf,
  storeBytes,
  verifiedBytes,
} from './bytes.ts'
export { attachmentLines, fileLines } from './portability.ts'
export { chargeSender } from './quota.ts'
export { type ReceivedFile, receiveFiles, receiveUploads } from './receive.ts'
export { disposition, isShownInline, servedContentType } from './rules.ts'
export {
  Attachment,
  AttachmentId,
  type FileInput,
  FileInputs,
  Uploads,
} from './schema.ts'
export {
  type AttachmentRow,
  attachmentsOf,
  attachmentsOfComments,
  countAttachments,
  deleteAttachments,
  deleteAttachmentsOf,
  findMissingFiles,
  insertAttachments,
  toAttachments,
  unreferencedFiles,
} from './store.ts'
export { attachments, fileUsage } from './tables.ts'
