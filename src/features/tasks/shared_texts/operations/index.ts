import { get } from './get.ts'
import { push } from './push.ts'

export { save } from './save.ts'

export const operations = [get, push] as const
