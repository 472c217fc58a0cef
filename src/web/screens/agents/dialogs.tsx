import { useState } from 'react'
import { useOperationMutation } from '../../data/cache.ts'
import type { AgentActions } from '../../entities/agent/actions.ts'
import { Configured } from '../../entities/agent/configured.tsx'
import type { Agent } from '../../entities/agent/descriptions.ts'
import { OneTimeDialog, tokenLostWarning } from '../../entities/agent/one-time-dialog.tsx'
import type { Me } from '../../entities/user/me.ts'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
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
        title={t('agents.connect_name', { name: issued.name })}
        closeWarning={tokenLostWarning(issued.name)}
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
  const { mutateAsync } = useOperationMutation('agents.rotate', { onDone: actions.setIssued })
  return (
    <ConfirmDialog
      title={t('agents.create_a_new_token_for_name', { name })}
      submitLabel={t('agents.create_token')}
      variant="main"
      onConfirm={() => mutateAsync({ agent_id })}
      onClose={() => actions.openDialog(undefined)}
    >
      <p>
        {hasMcpToken
          ? t('agents.the_current_token_of_name_is_revoked', { name })
          : t('agents.name_has_no_token_the_new_one', { name })}
      </p>
    </ConfirmDialog>
  )
}

function Revoke({ agent: { agent_id, name }, actions }: QuestionProps) {
  const { mutateAsync } = useOperationMutation('agents.revoke', {
    onDone() {
      actions.reload()
      showToast(t('agents.revoked_the_token_of_name', { name }))
    },
  })
  return (
    <ConfirmDialog
      title={t('agents.revoke_the_token_of_name', { name })}
      submitLabel={t('agents.revoke_token')}
      onConfirm={() => mutateAsync({ agent_id })}
      onClose={() => actions.openDialog(undefined)}
    >
      <p>{t('agents.the_token_is_revoked_at_once_and', { name })}</p>
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
  const { mutateAsync } = useOperationMutation('agents.delete', {
    onDone() {
      actions.reload()
      showToast(t('agents.deleted_name', { name }))
      onDelete()
    },
  })
  return (
    <ConfirmDialog
      title={t('agents.delete_name', { name })}
      submitLabel={t('agents.delete_name_name', { name })}
      disabled={typedName.trim() !== name}
      onConfirm={() => mutateAsync({ agent_id })}
      onClose={() => actions.openDialog(undefined)}
    >
      <p>{t('agents.this_deletes_the_agent_its_token_and')}</p>
      <TextField
        label={t('agents.type_its_name_to_confirm_name', { name })}
        autoComplete="off"
        value={typedName}
        onChange={setTypedName}
      />
    </ConfirmDialog>
  )
}
