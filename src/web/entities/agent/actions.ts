import { useState } from 'react'
import { useCache, useOperationMutation } from '../../data/cache.ts'
import type { MenuItem } from '../../kit/menu-popup.tsx'
import { showError, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import type { Me } from '../user/me.ts'
import type { Issued } from './agent-form.tsx'
import type { Agent } from './descriptions.ts'

/** The dialogs of an agent. */
export type AgentDialog = 'edit' | 'rotate' | 'revoke' | 'delete'

/** Whether the user may manage an agent: its owner can, and owners and admins of the team. */
export function canManage(me: Me, { team_id, owner_id }: Agent): boolean {
  if (!me.permissions.includes('agents:manage')) return false
  const role = me.teams.find((team) => team.team_id === team_id)?.role
  return (
    role === 'owner' || role === 'admin' || (role !== undefined && me.profile.user_id === owner_id)
  )
}

/** The actions on an agent. Actions that cannot be undone ask for confirmation. */
export function useAgentActions(agent: Agent) {
  const { agent_id, name } = agent
  const cache = useCache()
  const [dialog, openDialog] = useState<AgentDialog>()
  const [issued, setIssued] = useState<Issued>()
  const reload = () => void cache.invalidateQueries({ predicate: isAgentsQuery })
  const { mutate: enable } = useOperationMutation('agents.enable', {
    onDone(result) {
      reload()
      showToast(t('agent.switched_on_name', { name }))
      if (result.token) setIssued(result)
    },
    onFailed: showError,
  })
  const { mutate: deactivate } = useOperationMutation('agents.deactivate', {
    onDone() {
      reload()
      showToast(t('agent.switched_off_name', { name }), () => enable({ agent_id }))
    },
    onFailed: showError,
  })
  const { mutate: archive } = useOperationMutation('agents.archive', {
    onDone() {
      reload()
      showToast(t('agent.archived_name_and_revoked_its_token', { name }))
    },
    onFailed: showError,
  })
  const menuGroups = menuGroupsOf(agent, {
    openDialog,
    enable: () => enable({ agent_id }),
    deactivate: () => deactivate({ agent_id }),
    archive: () => archive({ agent_id }),
  })
  return { dialog, openDialog, issued, setIssued, reload, menuGroups }
}

/** Pauses the agent, or resumes it. */
export function usePause({ agent_id, name }: Agent) {
  const cache = useCache()
  const { mutate } = useOperationMutation('agents.update', {
    onDone({ paused }) {
      void cache.invalidateQueries({ predicate: isAgentsQuery })
      showToast(paused ? t('agent.paused_name', { name }) : t('agent.resumed_name', { name }))
    },
    onFailed: showError,
  })
  return (paused: boolean) => mutate({ agent_id, paused })
}

export type AgentActions = ReturnType<typeof useAgentActions>

interface MenuActions {
  openDialog(dialog: AgentDialog): void
  enable(): void
  deactivate(): void
  archive(): void
}

/** The menu of an agent: only the items that its kind and its state allow. */
function menuGroupsOf({ kind, state, hasMcpToken }: Agent, actions: MenuActions) {
  const { openDialog, enable, deactivate, archive } = actions
  const groups: MenuItem[][] = [
    [
      ...(state === 'archived'
        ? []
        : [{ name: t('agent.edit'), icon: 'pencil' as const, run: () => openDialog('edit') }]),
      ...(kind === 'external' && state !== 'archived'
        ? [{ name: t('agent.new_token'), icon: 'repeat' as const, run: () => openDialog('rotate') }]
        : []),
    ],
    [
      state === 'active'
        ? { name: t('agent.switch_off'), icon: 'moon', run: deactivate }
        : { name: t('agent.switch_on'), icon: 'sun', run: enable },
      ...(kind === 'external' && hasMcpToken
        ? [
            {
              name: t('agent.revoke_token'),
              icon: 'blocked' as const,
              run: () => openDialog('revoke'),
            },
          ]
        : []),
      ...(state === 'archived'
        ? []
        : [{ name: t('common.archive'), icon: 'archive' as const, run: archive }]),
    ],
    [{ name: t('common.delete'), icon: 'trash', danger: true, run: () => openDialog('delete') }],
  ]
  return groups.filter((group) => group.length)
}

const AGENTS_OPERATION = /^agents\./
const isAgentsQuery = ({ queryKey: [name] }: { queryKey: readonly unknown[] }) =>
  AGENTS_OPERATION.test(String(name))
