export { attachFiles, dropAttachments } from './attach.ts'
