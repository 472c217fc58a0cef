export type {
  Account,
  HostClient,
  HostComment,
  HostIssue,
  IssueChange,
} from './clients/client.ts'
export { HostError } from './clients/error.ts'
export { EVENTS } from './clients/index.ts'
export { authorOf, loginsOfMembers, resolveAuthor } from './people.ts'
export { HostId, HostRow, Kind } from './schema.ts'
export { askHost, type CodeHost, clientOf, findHost, hostById, requireAdmin } from './store.ts'
export { codeHosts, codePeople } from './tables.ts'
