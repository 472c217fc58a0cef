export { linkerOf } from './caller.ts'
export { receiverOf } from './receiver.ts'
export {
  claimRepository,
  dueRepositories,
  findRepository,
  lockRepository,
  type Repository,
  renewClaim,
  repositoryById,
  updateRepository,
  wake,
  webhookSecret,
  webhookUrl,
} from './store.ts'
export { repositories } from './tables.ts'
