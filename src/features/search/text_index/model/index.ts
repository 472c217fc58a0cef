export {
  backfillIndex,
  indexTask,
  indexTextOf,
  inspectIndex,
  inTeam,
  isIndexComplete,
  isIndexedColumn,
  onBoard,
  resetBackfill,
} from './text-index.ts'
