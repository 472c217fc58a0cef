import { get, test, update } from './operations.ts'

export { letterOf } from './letter.ts'
export { spacing } from './rules.ts'
export {
  claimMail,
  dueMail,
  gatherMail,
  mailFailed,
  mailRefused,
  mailSent,
  passMail,
  writeMail,
} from './sending.ts'
export { mailDesk } from './stop.ts'
export { queueMail } from './store.ts'
export { mailings } from './tables.ts'

export const operations = [get, update, test] as const
