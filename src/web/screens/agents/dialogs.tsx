import { useState } from 'react'
import { useOperationMutation } from '../../data/cache.ts'
import type { AgentActions } from '../../entities/agent/actions.ts'
import { Configured } from '../../entities/agent/configured.tsx'
import { OneTimeDialog, tokenLostWarning } from '../../entities/agent/one-time-dialog.tsx'
import type { Me } from '../../entities/user/me.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { errorText } from '../../kit/errors.ts'
import { showToast } from '../../kit/toasts.tsx'
import '../../entities/agent/asking.css'
import { Refusal } from '../../entities/agent/refusal.tsx'
import type { Agent } from '../../entities/agent/words.ts'
import { EditAgent } from './edit.tsx'

interface Props {
  me: Me
  agent: Agent
  actions: AgentActions
  onDelete(): void
}

/** The open dialog of an agent: a confirmation, its form, or a new token, which is shown once. */
export function AgentDialogs({ me, agent, actions, onDelete }: Props) {
  const { dialog, openDialog, issued, setIssued } = actions
  const close = () => openDialog(undefined)
  if (issued)
    return (
      <OneTimeDialog
        title={`Connect ${issued.name}`}
        lost={tokenLostWarning(issued.name)}
        onClose={() => setIssued(undefined)}
      >
        {(keeping) => (
          <Configured {...keeping} agent={issued} url={me.server.mcp_url} board={undefined} />
        )}
      </OneTimeDialog>
    )
  if (dialog === 'edit') return <EditAgent me={me} agent={agent} onClose={close} />
  if (dialog === 'rotate') return <Rotate agent={agent} actions={actions} />
  if (dialog === 'revoke') return <Revoke agent={agent} actions={actions} />
  if (dialog === 'delete') return <Delete agent={agent} actions={actions} onDelete={onDelete} />
  return null
}

interface QuestionProps {
  agent: Agent
  actions: AgentActions
}

function Rotate({ agent: { agent_id, name, hasMcpToken }, actions }: QuestionProps) {
  const [error, setError] = useState('')
  const { act, busy } = useOperationMutation('agents.rotate', {
    onDone(result) {
      actions.openDialog(undefined)
      actions.setIssued(result)
    },
    onFailed: (failure) => setError(errorText(failure)),
  })
  return (
    <Dialog
      open
      onClose={() => actions.openDialog(undefined)}
      title={`Create a new token for ${name}?`}
    >
      <div className="agent-ask">
        <p>
          {hasMcpToken
            ? `The current token of ${name} is revoked at once. Programs that use it are refused until they have the new one.`
            : `${name} has no token. The new one is shown only once.`}
        </p>
        <Refusal words={error} />
        <button
          type="button"
          className="button main"
          disabled={busy}
          onClick={() => act({ agent_id })}
        >
          Create token
        </button>
      </div>
    </Dialog>
  )
}

function Revoke({ agent: { agent_id, name }, actions }: QuestionProps) {
  const [error, setError] = useState('')
  const { act, busy } = useOperationMutation('agents.revoke', {
    onDone() {
      actions.openDialog(undefined)
      actions.reload()
      showToast(`Revoked the token of ${name}`)
    },
    onFailed: (failure) => setError(errorText(failure)),
  })
  return (
    <Dialog
      open
      onClose={() => actions.openDialog(undefined)}
      title={`Revoke the token of ${name}?`}
    >
      <div className="agent-ask">
        <p>
          The token is revoked at once and cannot be restored. {name} is switched off and releases
          its leases. When switched on again, it gets a new token.
        </p>
        <Refusal words={error} />
        <button
          type="button"
          className="button main"
          disabled={busy}
          onClick={() => act({ agent_id })}
        >
          Revoke token
        </button>
      </div>
    </Dialog>
  )
}

/** Deleting cannot be undone, so the name must be typed to confirm. */
function Delete({
  agent: { agent_id, name },
  actions,
  onDelete,
}: QuestionProps & { onDelete(): void }) {
  const [typedName, setTypedName] = useState('')
  const [error, setError] = useState('')
  const { act, busy } = useOperationMutation('agents.delete', {
    onDone() {
      actions.openDialog(undefined)
      actions.reload()
      showToast(`Deleted ${name}`)
      onDelete()
    },
    onFailed: (failure) => setError(errorText(failure)),
  })
  const isConfirmed = typedName.trim() === name
  return (
    <Dialog open onClose={() => actions.openDialog(undefined)} title={`Delete ${name}?`}>
      <form
        className="agent-ask"
        onSubmit={(event) => {
          event.preventDefault()
          if (isConfirmed) act({ agent_id })
        }}
      >
        <p>
          This deletes the agent, its token and its webhook, and cannot be undone. What it wrote
          stays, under its name. To be able to restore the agent, archive it instead.
        </p>
        <label className="labelled">
          Type its name to confirm: {name}
          <input
            className="field"
            autoComplete="off"
            value={typedName}
            onChange={({ target }) => setTypedName(target.value)}
          />
        </label>
        <Refusal words={error} />
        <button type="submit" className="button main grave" disabled={busy || !isConfirmed}>
          Delete {name}
        </button>
      </form>
    </Dialog>
  )
}
