import { useState } from 'react'
import { useLocation } from 'wouter'
import { cache, useOperationMutation } from '../../../data/cache.ts'
import { ConfirmDialog } from '../../../kit/confirm-dialog.tsx'
import { showError, showToast } from '../../../kit/toasts.tsx'
import type { Team } from './permissions.ts'

/** Leaves a team. Only an invitation brings the user back. */
export function LeaveTeam({ team: { team_id, name } }: { team: Team }) {
  const [isConfirming, setConfirming] = useState(false)
  const [, go] = useLocation()
  const { finish } = useOperationMutation('teams.leave', {
    async onDone() {
      showToast(`You left ${name}`)
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
        Leave {name}…
      </button>
      {isConfirming && (
        <ConfirmDialog
          title={`Leave ${name}?`}
          verb={`Leave ${name}`}
          onConfirm={() => finish({ team_id })}
          onClose={() => setConfirming(false)}
        >
          <p>
            You lose access to its boards, and your agents stop working there. What you wrote stays.
            To come back, you need an invitation.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
