import { attach, get, list, remove } from './operations.ts'

export { upload } from './operations.ts'

export const operations = [list, get, attach, remove] as const
