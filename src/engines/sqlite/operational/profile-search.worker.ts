/** The thread that searches profiles. */
import { workerData } from 'node:worker_threads';
import { type AnsweredValue, answerRequests } from '../../../foundation/basics/request-thread.messages.js';
import type { Profile } from '../../../foundation/operational/operational-store.js';
import { type ProfileSearch, ProfileSearcher } from './profile-search.js';

const { path }: { readonly path: string } = workerData;
const searcher = new ProfileSearcher(path);

answerRequests({
  answer: async (search: ProfileSearch): Promise<AnsweredValue<readonly Profile[]>> => ({
    value: searcher.find(search),
  }),
});
