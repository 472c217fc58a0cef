import { useState } from 'react'
import type { Me } from '../../entities/user/me.ts'
import { SelectField } from '../../kit/field.tsx'
import { t } from '../../messages/t.ts'
import { DropZone } from './drop-zone.tsx'
import { ProblemBox } from './problem.tsx'
import { Products, SourceSelect } from './products.tsx'
import { type Problem, readFiles } from './session.ts'
import type { Choice, PickedFile } from './worker-types.ts'

interface Props {
  teams: Me['teams']
  team_id: number
  /** The files that could not be read, or that were chosen before. */
  choice?: Choice
  problem?: Problem
}

/** The first step: which files, and how to get them from the other product. */
export function Choose({ teams, team_id: defaultTeam, choice, problem }: Props) {
  const [team_id, setTeam] = useState(choice?.team_id ?? defaultTeam)
  const [isEmpty, setEmpty] = useState(false)
  const read = (files: readonly PickedFile[]) => {
    setEmpty(!files.length)
    if (files.length) void readFiles({ team_id, files })
  }
  return (
    <>
      <p className="intro">{t('import.nothing_changes_until_you_start')}</p>
      {problem && (
        <ProblemBox problem={problem}>
          {choice && (
            <SourceSelect
              value={choice.source}
              onPick={(source) => void readFiles({ ...choice, source })}
            />
          )}
        </ProblemBox>
      )}
      {teams.length > 1 && (
        <SelectField
          label={t('common.team')}
          value={team_id}
          choices={teams.map((team) => [team.team_id, team.name] as const)}
          onPick={setTeam}
        />
      )}
      <DropZone onFiles={read} />
      {isEmpty && (
        <p className="form-error" role="alert">
          {t('import.no_file_can_be_imported')}
        </p>
      )}
      <Products />
    </>
  )
}
