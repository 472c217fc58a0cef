import { Type as t } from '@sinclair/typebox'
import {
  actor,
  boardRowLines,
  from,
  moment,
  nullable,
  orNull,
  plain,
  portableRows,
  ShortText,
  Text,
} from '../../../../store/portability/index.ts'
import { SLUG } from './schema.ts'
import { skills } from './tables.ts'

/** The skills of boards. Personal ones are not exported. */
export const skillLines = boardRowLines({
  kind: 'skill',
  what: 'a skill',
  orderBy: [skills.slug],
  rows: portableRows(
    skills,
    {
      slug: plain(t.String({ maxLength: 64, pattern: SLUG })),
      name: plain(ShortText),
      description: plain(Text),
      argument_hint: plain(nullable(ShortText)),
      body: plain(Text),
      enabled: plain(t.Boolean()),
      source: plain(nullable(t.String({ maxLength: 10_000 }))),
      created_by: from('actor_id', actor),
      last_used_at: orNull(moment),
      created_at: moment,
      updated_at: moment,
    },
    { skill_id: 'generated' },
  ),
  check: ({ board, slug }, file) => file.unique('skills', `${board}/${slug}`),
})
