import { link } from './link.ts'
import { list, unlink, update } from './repositories.ts'

export const operations = [list, link, update, unlink] as const
