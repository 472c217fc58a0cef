import { t } from '../../messages/t.ts'

const TEXTS = {
  board: (count: number) => t('import.count_boards', { count }),
  task: (count: number) => t('import.count_tasks', { count }),
  comment: (count: number) => t('import.count_comments', { count }),
  attachment: (count: number) => t('import.count_files', { count }),
  time_entry: (count: number) => t('import.count_time_entries', { count }),
  relation: (count: number) => t('import.count_relations', { count }),
  person: (count: number) => t('import.count_people', { count }),
}

type Counts = Partial<Record<keyof typeof TEXTS, number>>

/** Such as "12 tasks", "3 comments"; kinds without records are left out. */
export const countTexts = (counts: Counts): string[] =>
  (Object.keys(TEXTS) as (keyof typeof TEXTS)[]).flatMap((kind) =>
    counts[kind] ? [TEXTS[kind](counts[kind])] : [],
  )
