import * as avatars from './avatars.ts'
import * as people from './people.ts'
import { get, hello } from './profile.ts'
import { update } from './update.ts'

export { picture } from './avatars.ts'

export const operations = [
  hello,
  get,
  update,
  avatars.versions,
  avatars.update,
  avatars.remove,
  people.get,
] as const
