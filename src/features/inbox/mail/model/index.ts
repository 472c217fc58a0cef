export { renderEmail } from './email.ts'
export { retryDelay } from './rules.ts'
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
export { unsubscribePage } from './unsubscribe.ts'
