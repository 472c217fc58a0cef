import { useState } from 'react'
import { patchQuery, useOperation, useOperationMutation } from '../../data/cache.ts'
import { canManage } from '../../entities/agent/actions.ts'
import { isOpen } from '../../entities/agent/descriptions.ts'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { showError, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import type { FullRun } from './types.ts'

/** The person who started a run and people who manage its agent can stop it. */
export function useCanStop(run: FullRun): boolean {
  const { data: me } = useOperation('user_context.get', {})
  const agent_id = run.agent.agent_id ?? ''
  const { data: agent } = useOperation('agents.get', { agent_id }, { enabled: isOpen(run) })
  if (!isOpen(run) || !me) return false
  return run.created_by.user_id === me.profile.user_id || Boolean(agent && canManage(me, agent))
}

/** Stopping is final, so it asks for confirmation and a reason. */
export function StopRun({ run }: { run: FullRun }) {
  const { run_id, agent } = run
  const [isConfirming, setConfirming] = useState(false)
  const [reason, setReason] = useState('')
  const { mutate } = useOperationMutation('runs.stop', {
    optimistic: ({ reason: stopReason = null }) =>
      patchQuery('runs.get', { run_id }, (current) => ({
        ...current,
        state: 'stopped',
        reason: stopReason,
      })),
    onDone: () => showToast(t('agents.stopped_the_run_of_name', { name: agent.name })),
    onFailed: showError,
  })
  const stop = () => {
    setConfirming(false)
    mutate({ run_id, ...(reason.trim() && { reason: reason.trim() }) })
  }
  return (
    <>
      <button type="button" className="button plain stop" onClick={() => setConfirming(true)}>
        {t('common.stop')}
      </button>
      {isConfirming && (
        <ConfirmDialog
          title={t('agents.stop_name', { name: agent.name })}
          submitLabel={t('agents.stop_run')}
          onConfirm={stop}
          onClose={() => setConfirming(false)}
        >
          <p>{t('agents.a_stopped_run_cannot_be_resumed_name', { name: agent.name })}</p>
          <TextField
            label={t('common.reason_optional')}
            maxLength={2000}
            value={reason}
            onChange={setReason}
          />
        </ConfirmDialog>
      )}
    </>
  )
}
