import { useMemo } from 'react'
import { useOperation } from '../../../data/cache.ts'
import type { Board } from '../../../entities/board/data.ts'
import {
  type CustomField,
  fieldsByName,
  fieldsOf,
} from '../../../entities/task/condition/fields.tsx'
import type { Filter, Rule } from '../../../entities/task/condition/filter.ts'
import { useMe } from '../../../entities/user/me.ts'
import { useMembers } from '../../../entities/user/members.ts'
import { cardTest, isServerRule } from './filter-match.ts'

const NO_CUSTOM_FIELDS: readonly CustomField[] = []

/** The fields that the tasks of a board can be filtered by. */
export function useFields(board: Board) {
  const { project_id } = board
  const members = useMembers(project_id)
  const customFields = useOperation('custom_fields.list', { project_id, limit: 50 })
  const me = useMe()?.profile.user_id
  const customs = customFields.data?.items ?? NO_CUSTOM_FIELDS
  const known = useMemo(() => {
    const fields = fieldsByName(fieldsOf({ board, members, customs }))
    const countOf = (rule: Rule): number | undefined => {
      if (isServerRule(rule)) return undefined
      const filter: Filter = { match: 'ALL', groups: [{ match: 'ALL', rules: [rule] }] }
      const matches = cardTest(filter, { board, me, serverMatches: undefined })
      return board.cards.filter(matches).length
    }
    return { customs, countOf, fields }
  }, [board, members, customs, me])
  return { ...known, customFields }
}
