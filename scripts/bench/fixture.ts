export interface Board {
  project_id: number
  key: string
  tasks: number
  sections: number[]
  labels: number[]
}

/** What the database of a server under test contains. */
export interface Fixture {
  api_key: string
  team_id: number
  owner_id: number
  people: number[]
  boards: Board[]
}

export interface StoredFixture extends Fixture {
  folder: string
}
