import type { TestServer } from '../bench-servers.ts'
import { listPath, PAGE_SIZE } from '../requests.ts'
import type { Peer } from './peer.ts'

/** Corkboard itself, through the same interface as its peers. */
export function corkboard(server: TestServer): Peer {
  const { project_id, sections } = server.boards[0]!
  const search = `/api/v1/search/tasks?board_id=${project_id}&limit=${PAGE_SIZE}`
  return {
    ...{ ...server, headers: { Authorization: `Bearer ${server.api_key}` } },
    get: ({ ticket_number }) => ({ method: 'GET', path: `/api/v1/tasks/${ticket_number}` }),
    // Limits above 50 mean 50. Each request has another one, so that no response is cached.
    list: (nth) => ({ method: 'GET', path: listPath(server, '', PAGE_SIZE + nth) }),
    create: (task) => ({
      ...{ method: 'POST', path: '/api/v1/tasks' },
      body: { project_id, section_id: sections[0], ...task },
    }),
    comment: ({ ticket_number }, text) => ({
      ...{ method: 'POST', path: `/api/v1/tasks/${ticket_number}/comments` },
      body: { text: `<p>${text}</p>` },
    }),
    search: (words) => ({ method: 'GET', path: `${search}&query=${words.join('%20')}` }),
  }
}
