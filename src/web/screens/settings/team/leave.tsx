import { useState } from 'react'
import { useLocation } from 'wouter'
import { cache, useOperationMutation } from '../../../data/cache.ts'
import { ConfirmDialog } from '../../../kit/confirm-dialog.tsx'
import { showError, showToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import type { Team } from './permissions.ts'

/** Leaves a team. Only an invitation brings the user back. */
export function LeaveTeam({ team: { team_id, name } }: { team: Team }) {
  const [isConfirming, setConfirming] = useState(false)
  const [, go] = useLocation()
  const { mutateAsync } = useOperationMutation('teams.leave', {
    async onDone() {
      showToast(t('settings.you_left_name', { name }))
      go('/settings/team')
      await cache.invalidateQueries()
    },
    onFailed(error) {
      setConfirming(false)
      showError(error)
    },
  })
  return (
    <>
      <button type="button" className="button plain" onClick={() => setConfirming(true)}>
        {t('settings.leave_name', { name })}
      </button>
      {isConfirming && (
        <ConfirmDialog
          title={t('settings.leave_name_question', { name })}
          submitLabel={t('settings.leave_name_name', { name })}
          onConfirm={() => mutateAsync({ team_id })}
          onClose={() => setConfirming(false)}
        >
          <p>{t('settings.you_lose_access_to_its_boards_and')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
