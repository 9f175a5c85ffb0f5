import { BearingModule, type BearingOptions } from '@bearing/nestjs'
import { Module, type DynamicModule } from '@nestjs/common'
import { ReportsController } from './reports.controller.js'

@Module({})
export class AppModule {
  static with(bearing: BearingOptions): DynamicModule {
    return { module: AppModule, imports: [BearingModule.forRoot(bearing)], controllers: [ReportsController] }
  }
}
