export { AUTOMATIC, parseLocale } from './locale.ts'
export {
  avatarUrl,
  PICTURE_HASH,
  PICTURE_PATTERN,
  type Picture,
  pictureOf,
  referenceTo,
  versionOf,
} from './picture.ts'
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
