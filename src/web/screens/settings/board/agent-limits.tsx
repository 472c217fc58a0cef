import { patchQuery, useOperation } from '../../../data/cache.ts'
import type { Input, Output } from '../../../data/client.ts'
import { sendWrite } from '../../../data/write-queue.ts'
import { budgetText, parseBudget } from '../../../entities/agent/budget.ts'
import { PausedNote, PauseSwitch } from '../../../entities/agent/pause.tsx'
import { TextField } from '../../../kit/field.tsx'
import { useInlineEdit } from '../../../kit/inline-edit.tsx'
import { LoadError } from '../../../kit/load-error.tsx'
import { t } from '../../../messages/t.ts'
import { SettingsSection } from '../parts.tsx'
import { type Board, type PartProps, runWrite } from './data.ts'
import { MANAGERS_ONLY } from './parts.tsx'

type Limits = Output<'projects.get_limits'>

/** The budget of a board for its agents, and the switch that pauses all of them. */
export function AgentLimits({ board, may }: PartProps) {
  const limits = useOperation('projects.get_limits', { project_id: board.project_id })
  const { data } = limits
  return (
    <SettingsSection
      title={t('settings.agents_on_this_board')}
      about={t('settings.a_pause_frees_the_tasks_of_agents')}
      readOnly={!may.manage && MANAGERS_ONLY}
    >
      {data ? (
        <>
          <div className="flex-wrap">
            <PauseSwitch
              name={board.title}
              of={data}
              disabled={!may.manage}
              onChange={(paused) => void setPaused(board, paused)}
            />
            <PausedNote of={data} />
          </div>
          <div className="pair">
            <BudgetField {...{ board, data }} mayManage={may.manage} />
          </div>
        </>
      ) : (
        <LoadError of={limits} what={t('settings.the_limits_for_agents')} />
      )}
    </SettingsSection>
  )
}

interface BudgetProps {
  board: Board
  data: Limits
  mayManage: boolean
}

function BudgetField({ board, data, mayManage }: BudgetProps) {
  const stored = data.budget_usd === null ? '' : String(data.budget_usd)
  const save = (text: string) =>
    write(board, { budget_usd: parseBudget(text) }, t('settings.set_the_budget'))
  const { type, error, field } = useInlineEdit(stored, save)
  return (
    <TextField
      label={t('settings.monthly_budget_of_this_board_usd')}
      hint={budgetText(data)}
      inputMode="decimal"
      maxLength={20}
      disabled={!mayManage}
      {...field}
      error={error}
      onChange={type}
    />
  )
}

const setPaused = (board: Board, paused: boolean): Promise<boolean> =>
  write(
    board,
    { paused },
    paused ? t('settings.paused_agents_on_this_board') : t('settings.resumed_agents_on_this_board'),
    () => setPaused(board, !paused),
  )

/** The answer replaces the limits that are shown. */
function write(
  { project_id }: Board,
  change: Omit<Input<'projects.set_limits'>, 'project_id'>,
  message: string,
  undo?: () => unknown,
): Promise<boolean> {
  return runWrite({
    async send() {
      const { changed: _, ...limits } = await sendWrite('projects.set_limits', {
        ...{ project_id, ...change },
      })
      patchQuery('projects.get_limits', { project_id }, () => limits)
    },
    message,
    ...(undo && { undo }),
  })
}
