import { canonicalUrl } from '../../../tasks/pull_requests/model/index.ts'
import { askHost } from '../../hosts/model/index.ts'
import { openTarget, type SyncServices } from '../../issues/model/index.ts'
import { repositoryById } from '../../repositories/model/index.ts'

/** The verdicts of the reviewers of a pull request, if not every one of them is an event. */
export async function readVerdicts(
  services: SyncServices,
  repository_id: number,
  pull_request: string,
) {
  const number = /\/merge_requests\/(\d{1,9})$/.exec(canonicalUrl(pull_request) ?? '')?.[1]
  const repository = await services.store.read((tx) => repositoryById(tx, repository_id))
  if (!repository || !number) return []
  return askHost('repository', async () => {
    const { client } = await openTarget(services, repository)
    const found = await client.verdicts?.(repository.name, Number(number))
    return (found ?? []).map(({ login, review }) => ({ by: login.slice(0, 200), review }))
  })
}
