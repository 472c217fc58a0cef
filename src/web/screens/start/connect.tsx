import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import type { Output } from '../../data/client.ts'
import { AgentForm, type Issued } from '../../entities/agent/agent-form.tsx'
import { Configured } from '../../entities/agent/configured.tsx'
import { OneTimeDialog, tokenLostWarning } from '../../entities/agent/one-time-dialog.tsx'
import { boardAt } from '../../entities/board/address.ts'
import { t } from '../../messages/t.ts'
import { FirstSteps } from './steps.tsx'

type Me = Output<'user_context.get'>

interface Props {
  me: Me
  /** The team of the agent, if no board is open. */
  team_id: number
  onClose(): void
}

/** When opened by its address, the dialog has no opener to return the focus to. */
function focusMain() {
  if (document.activeElement === document.body)
    document.getElementById('main')?.focus({ preventScroll: true })
}

/** Creates an agent, shows once how to connect it, and reports its first call. */
export default function Connect({ me, team_id: defaultTeam, onClose }: Props) {
  const [path] = useLocation()
  const [query] = useSearchParams()
  const boardId = boardAt(path)
  const board = me.boards.find(({ project_id }) => project_id === boardId)
  const team_id = board?.team_id ?? defaultTeam
  const [agent, setAgent] = useState<Issued>()
  useEffect(() => () => void setTimeout(focusMain), [])
  const isGuest = me.teams.find((team) => team.team_id === team_id)?.role === 'guest'
  return (
    <OneTimeDialog
      title={t('common.connect_your_agent')}
      closeWarning={agent && tokenLostWarning(agent.name)}
      onClose={onClose}
    >
      {(copyState) => (
        <>
          {query.get('connect') === 'first' && <FirstSteps current={2} />}
          {isGuest ? (
            <p>{t('start.you_are_a_guest_in_this_team')}</p>
          ) : agent ? (
            <Configured {...copyState} agent={agent} url={me.server.mcp_url} board={board?.title} />
          ) : (
            <AgentForm team_id={team_id} board={board} onCreated={setAgent} />
          )}
        </>
      )}
    </OneTimeDialog>
  )
}
