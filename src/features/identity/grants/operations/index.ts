import { list, revoke } from './grants.ts'

export { allow, deny } from './allow.ts'

export const operations = [list, revoke] as const
