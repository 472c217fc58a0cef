import { attach, get, list, remove } from './attachments.ts'

export { upload } from './attachments.ts'

export const operations = [list, get, attach, remove] as const
