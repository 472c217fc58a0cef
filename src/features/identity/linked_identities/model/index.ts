export {
  type Decision,
  decide,
  domainRule,
  isManagedAfter,
  type Known,
  type Membership,
  type RoleChange,
  roleChange,
  rolesByTeam,
} from './rules.ts'
export {
  approveIdentity,
  deleteIdentity,
  findIdentity,
  hasOtherIdentity,
  identitiesOf,
  insertIdentity,
  type LinkedIdentity,
  updateUse,
  waitingIdentities,
} from './store.ts'
export { linkedIdentities } from './tables.ts'
