export { actorRows, insertImportedActor, personRows } from './portability.ts'
export { Actor, Id, Name, Timestamp, UserId } from './schema.ts'
export {
  type ActorRow,
  actorsOf,
  asActor,
  asMember,
  createPerson,
  emailOf,
  personByEmail,
  SYSTEM_ACTOR_ID,
} from './store.ts'
export { actors, people } from './tables.ts'
