export { queueChannelNotices } from './channel-notice.ts'
export { composeAccountEmail, linkUrl } from './compose.ts'
export { oldEmailSweep } from './old-emails.ts'
export {
  accountEmailFailed,
  accountEmailSent,
  claimAccountEmail,
  dueAccountEmails,
  mailedToken,
} from './sending.ts'
export {
  type AccountEmail,
  cancelLinks,
  findLink,
  insertOperatorLink,
  invalidLink,
  isOperatorLink,
  type LinkKind,
  queueLink,
  queueNotice,
  redeemLink,
} from './store.ts'
export { type AccountEmailKind, accountEmails } from './tables.ts'
