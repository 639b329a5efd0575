import 'reflect-metadata';
import { Controller, Get, Module, Post, Req, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { placeOrder, received, receiver } from './shop.mjs';

@Controller()
class ShopController {
  @Post('webhooks')
  webhooks(@Req() request, @Res() response) {
    return receiver.express(request, response);
  }

  @Post('orders')
  order() {
    return placeOrder();
  }

  @Get('received')
  list() {
    return received;
  }
}

@Module({ controllers: [ShopController] })
class AppModule {}

// Keeps the raw bytes beside the parsed body: the signature is over them.
const app = await NestFactory.create(AppModule, { rawBody: true, logger: ['error'] });
await app.listen(0, '127.0.0.1');
console.log(await app.getUrl());
