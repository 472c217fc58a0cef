import { useState } from 'react'
import { useOperationMutation } from '../../data/cache.ts'
import type { AgentActions } from '../../entities/agent/actions.ts'
import { Configured } from '../../entities/agent/configured.tsx'
import { OneTimeDialog, tokenLostWarning } from '../../entities/agent/one-time-dialog.tsx'
import type { Agent } from '../../entities/agent/words.ts'
import type { Me } from '../../entities/user/me.ts'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { showToast } from '../../kit/toasts.tsx'
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
  const { finish } = useOperationMutation('agents.rotate', { onDone: actions.setIssued })
  return (
    <ConfirmDialog
      title={`Create a new token for ${name}?`}
      verb="Create token"
      look="main"
      onConfirm={() => finish({ agent_id })}
      onClose={() => actions.openDialog(undefined)}
    >
      <p>
        {hasMcpToken
          ? `The current token of ${name} is revoked at once. Programs that use it are refused until they have the new one.`
          : `${name} has no token. The new one is shown only once.`}
      </p>
    </ConfirmDialog>
  )
}

function Revoke({ agent: { agent_id, name }, actions }: QuestionProps) {
  const { finish } = useOperationMutation('agents.revoke', {
    onDone() {
      actions.reload()
      showToast(`Revoked the token of ${name}`)
    },
  })
  return (
    <ConfirmDialog
      title={`Revoke the token of ${name}?`}
      verb="Revoke token"
      onConfirm={() => finish({ agent_id })}
      onClose={() => actions.openDialog(undefined)}
    >
      <p>
        The token is revoked at once and cannot be restored. {name} is switched off and releases its
        leases. When switched on again, it gets a new token.
      </p>
    </ConfirmDialog>
  )
}

/** Deleting cannot be undone, so the name must be typed to confirm. */
function Delete({
  agent: { agent_id, name },
  actions,
  onDelete,
}: QuestionProps & { onDelete(): void }) {
  const [typedName, setTypedName] = useState('')
  const { finish } = useOperationMutation('agents.delete', {
    onDone() {
      actions.reload()
      showToast(`Deleted ${name}`)
      onDelete()
    },
  })
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      verb={`Delete ${name}`}
      disabled={typedName.trim() !== name}
      onConfirm={() => finish({ agent_id })}
      onClose={() => actions.openDialog(undefined)}
    >
      <p>
        This deletes the agent, its token and its webhook, and cannot be undone. What it wrote
        stays, under its name. To be able to restore the agent, archive it instead.
      </p>
      <TextField
        label={`Type its name to confirm: ${name}`}
        autoComplete="off"
        value={typedName}
        onChange={setTypedName}
      />
    </ConfirmDialog>
  )
}
