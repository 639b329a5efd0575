import { OnlineOrdering } from 'online-ordering-sdk';
import { indexMenu } from 'online-ordering-sdk/menus';
import { createMockService } from 'online-ordering-sdk/mock';
import { constructEvent } from 'online-ordering-sdk/webhooks';

export default [OnlineOrdering, indexMenu, createMockService, constructEvent];
