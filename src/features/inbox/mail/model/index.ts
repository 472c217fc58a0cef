export { renderEmail } from './email.ts'
export { nextTime, phrase, retryDelay, taskTitle } from './rules.ts'
export {
  claimMail,
  dueMail,
  gatherMail,
  mailFailed,
  mailRefused,
  mailSent,
  skipMail,
  writeMail,
} from './sending.ts'
export { queueMail } from './store.ts'
export { mailings } from './tables.ts'
export { countTest } from './test-limit.ts'
export { unsubscribePage } from './unsubscribe.ts'
