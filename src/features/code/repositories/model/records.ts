import type { CodeHost } from '../../hosts/model/index.ts'
import type { Repository } from './store.ts'

export const fieldsOf = (row: Repository, { kind }: Pick<CodeHost, 'kind'>) => {
  const { repository_id, project_id, host_id, name, url, issues, label, pull_requests } = row
  return {
    ...{ repository_id, project_id, host_id, kind, name, url, issues, label, pull_requests },
    has_webhook: row.webhook_id !== null,
  }
}
