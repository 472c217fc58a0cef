export type {
  Account,
  HostClient,
  HostComment,
  HostIssue,
  IssueChange,
} from './clients/client.ts'
export { HostError } from './clients/error.ts'
export { EVENTS } from './clients/index.ts'
export { appRequest, openSetup } from './github-app.ts'
export { authorOf, isOwnAccount, loginsOfMembers, resolveAuthor, verifiesEmails } from './people.ts'
export { HostId, HostRow, Kind } from './schema.ts'
export {
  appWebhookSecret,
  askHost,
  type CodeHost,
  clientOf,
  findHost,
  hostById,
  hostOfReceiver,
  requireAdmin,
} from './store.ts'
export { codeHosts, codePeople } from './tables.ts'
